// Prints for each token vector whether the page's code accepts it, as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

func TestMain(*testing.M) {
	var file struct {
		Vectors []struct {
			Token, Secret, Body string
			Now                 int64
		}
	}
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &file); err != nil {
		panic(err)
	}
	accepted := []bool{}
	for _, v := range file.Vectors {
		claims, err := verify(v.Token, v.Secret, v.Now)
		accepted = append(accepted, err == nil && isBound(claims, []byte(v.Body)))
	}
	printed, _ := json.Marshal(accepted)
	fmt.Println(string(printed))
}
